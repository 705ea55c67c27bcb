// The HTML of the explorer of classical scaling.

import { buttonGroup } from "../ui/buttons.ts";
import { RESET } from "../ui/state.ts";

const MATRICES = { roads: "as given", halved: "one halved", straight: "straight lines" };
const POSSIBLE = { near: "Athens\u2013Rome 2000 km", same: "Rome at Stockholm" };
const IMPOSSIBLE = { far: "Rome\u2013Paris 6000 km" };
const METHODS = {
  cailliez: "<i>\u03b4</i> + <i>c</i> <small>Cailliez</small>",
  lingoes: "\u221a(<i>\u03b4</i>\u00b2 + 2<i>c</i>) <small>Lingoes</small>",
};
/** The fields of an entry of the matrix, with a message below them. */
const ENTRY = `
  <div class="kx-entry kx-control"><select data-part="row" aria-label="first city"></select>
    <select data-part="column" aria-label="second city"></select>
    <label><input type="text" inputmode="decimal" autocomplete="off" data-part="entry">
      km</label></div>
  <div class="kx-bar kx-control"><p class="kx-note" data-part="typed"
    aria-live="polite"></p></div>`;
// The view "map" has no eigenvalues, no constant and no measures of fit.
export const HTML = `
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always"><p class="kx-title"><span class="kx-distance">Matrix \u0394</span>
        <small>of dissimilarities (km)</small></p>
        <div data-part="matrix"></div></section>
      <section class="kx-always kx-control">
        <div class="kx-bar">${buttonGroup("Distances", "preset", MATRICES)}</div>
        ${ENTRY}</section>
      <section data-show="all" style="--order:5"><p
        class="kx-title">Eigenvalues of <i>B</i> <small>as \u221a|<i>\u03bb</i>|, in 1000
          km</small></p>
        <div data-part="spectrum"></div></section>
      <section data-show="all" style="--order:6">
        <table class="kx-facts"><caption>Measures of fit</caption><tbody
          data-part="facts"></tbody></table></section>
    </div>
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Map by classical scaling
        <small data-part="square"></small></p><div data-part="map"></div></section>
      <section><table
          class="kx-list"><caption>The three pairs with the largest differences</caption>
          <thead><tr><th scope="col">largest differences</th><th scope="col"
            class="kx-distance" data-part="entries"></th><th scope="col">map</th></tr></thead>
          <tbody data-part="worst"></tbody></table>
        <p class="kx-note" data-show="map">Stronger colours represent longer distances. <span
          class="kx-control">“One halved” halves the distance between Barcelona and Rome, and
            “straight lines” replaces all road distances by the distances on the true
            map.</span></p></section>
      <section class="kx-always kx-control" data-show="all"><p
        class="kx-title">Additive constant</p>
        <div class="kx-bar">${buttonGroup("Constant", "method", METHODS, "modes")}</div>
        <div data-part="constant"></div></section>
      <section data-show="all" style="--order:6"><p
        class="kx-title">Shepard diagram <small>one dot for each pair of cities</small></p>
        <div data-part="shepard"></div></section>
    </div>
  </div>`;

// The view "cities": a map and its distances, in words that need no definition.
export const CITIES_HTML = `
  <section class="kx-always kx-control">
    <div class="kx-bar">${buttonGroup("Try", "preset", POSSIBLE)}<span
      >${buttonGroup("Impossible", "preset", IMPOSSIBLE)}</span><span>${RESET}</span></div></section>
  <div class="kx-columns">
    <div class="kx-column">
      <section class="kx-always kx-above-verdict"><p class="kx-title">Map from road distances
          alone</p>
        <div data-part="map"></div><p class="kx-note"><span data-part="pair"></span> The coastline
          was fitted to the map afterwards.
          <a class="kx-control" href="#how-the-map-is-made">See how the map is made</a></p></section>
    </div>
    <div class="kx-column">
      <section class="kx-always"><p class="kx-title kx-distance">Road distances (km)</p>
        <div data-part="matrix"></div>${ENTRY}</section>
    </div>
  </div>
  <details><summary>How the map is made</summary>
    <section class="kx-always" id="how-the-map-is-made"><p
        class="kx-title">1. Inner products (million km\u00b2)</p><p class="kx-note">Square the
        distances, subtract means so that each row and each column has mean 0, and multiply by
        \u2212\u00bd. The result is a table of inner products (the <a
        href="03-distances-gram.html#from-distances-to-the-gram-matrix">Gram matrix</a>), which are
        negative for points in opposite directions from the centre.</p>
      <table><tbody data-part="gram"></tbody></table></section>
    <section class="kx-always"><p class="kx-title">2. Eigenvalues (million km\u00b2)</p><p
        class="kx-note">The <a
        href="04-classical-scaling.html#the-classical-scaling-algorithm">eigenvalues</a> of this table
        measure how far the cities extend in different directions. For the road distances two are
        large, so two coordinates are nearly enough. <a
        href="04-classical-scaling.html#negative-eigenvalues">Negative ones</a> show that no points
        have exactly these distances, in any number of dimensions.</p>
      <div class="kx-bars" data-part="eigenvalues"></div></section>
    <section class="kx-always"><p class="kx-title">3. Coordinates (km)</p><p class="kx-note">Each
        eigenvalue has an eigenvector, a list with one number for each city. The first two lists,
        multiplied by the square roots of their eigenvalues, are the coordinates. Finally, the map is
        <a href="04-classical-scaling.html#procrustes-alignment">rotated</a> and moved so that north
        is at the top.</p>
      <table><tbody data-part="coordinates"></tbody></table></section></details>`;
