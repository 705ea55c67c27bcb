// An example of each layout that the laboratory reads. All but one are the same distances.

const [HEAD, A, B, C] = ["Ada Bo Cleo", "Ada 0 3 4", "Bo 3 0 5", "Cleo 4 5 0"];
const rows = (...lines: string[]) => lines.join("\n");
const separated = (mark: string) => [` ${HEAD}`, A, B, C].map((line) => line.replaceAll(" ", mark));

/** The layouts: [name, example]. */
export const EXAMPLES = [
  ["square with names", rows(...separated(","))],
  ["square without names", rows("0 3 4", "3 0 5", "4 5 0")],
  ["decimal commas", rows(...separated(";")).replace(/\d/g, "$&,0")],
  ["lower triangle", rows("Ada", "Bo 3", "Cleo 4 5")],
  ["upper triangle with diagonal", rows("Ada;0;3;4", "Bo;0;5", "Cleo;0")],
  ["list of pairs", rows("from,to,km", "Ada,Bo,3", "Ada,Cleo,4", "Bo,Cleo,5")],
  ["objects by variables", rows("name,x,y", "Ada,0,0", "Bo,3,0", "Cleo,0,4")],
  ["R: dist", rows("     Ada Bo", "Bo     3", "Cleo   4  5")],
  [
    "R, pandas: data frame",
    rows("     Ada  Bo Cleo", "Ada  0.0 3.0  4.0", "Bo   3.0 0.0  5.0", "Cleo 4.0 5.0  0.0"),
  ],
  ["NumPy", rows("array([[0., 3., 4.],", "       [3., 0., 5.],", "       [4., 5., 0.]])")],
  [
    "Julia",
    rows("3\u00D73 Matrix{Float64}:", " 0.0  3.0  4.0", " 3.0  0.0  5.0", " 4.0  5.0  0.0"),
  ],
  ["MATLAB", rows("D =", "", "     0     3     4", "     3     0     5", "     4     5     0")],
  [
    "SPSS: proximities",
    rows(
      "Proximity Matrix",
      "\tEuclidean Distance",
      "Case\t1:Ada\t2:Bo\t3:Cleo",
      "1:Ada\t,000\t3,000\t4,000",
      "2:Bo\t3,000\t,000\t5,000",
      "3:Cleo\t4,000\t5,000\t,000",
      "This is a dissimilarity matrix",
    ),
  ],
  ["PHYLIP", rows("3", A, B, C)],
  [
    "MEGA",
    rows(
      "#mega",
      "!Format DataFormat=LowerLeft;",
      "[1] #Ada",
      "[2] #Bo",
      "[3] #Cleo",
      "[2] 3",
      "[3] 4 5",
    ),
  ],
  [
    "Markdown",
    rows(
      "| | Ada | Bo | Cleo |",
      "|--|--|--|--|",
      "| Ada | 0 | 3 | 4 |",
      "| Bo | 3 | 0 | 5 |",
      "| Cleo | 4 | 5 | 0 |",
    ),
  ],
  [
    "JSON",
    rows('{"labels": ["Ada", "Bo", "Cleo"],', ' "matrix": [[0, 3, 4], [3, 0, 5], [4, 5, 0]]}'),
  ],
];
