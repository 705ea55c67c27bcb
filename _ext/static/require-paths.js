requirejs.config({
  baseUrl: `${document.documentElement.dataset.content_root}_static/vendor`,
  paths: { anywidget: "anywidget/dist/index" },
});
