/** The stylesheet of the report, for light and dark themes, all widths, and print. */
export const style = `
:root {
  --ground: #fff; --ink: #1c2126; --soft: #5b646e; --line: #dfe3e8; --stripe: #f6f7f9; --link: #0b5cad;
  --good: #0f7038; --good-ground: #def5e6; --bad: #a3231c; --bad-ground: #fde4e1;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --ink: #e4e7ea; --soft: #9aa4ae; --line: #2f353b; --stripe: #1b1f23; --link: #77b7f5;
    --good: #7fdca0; --good-ground: #12361f; --bad: #ffa198; --bad-ground: #451a17;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body {
  margin: 0; padding: 2rem 1.25rem 4rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere;
}
header, main { max-width: 62rem; margin: 0 auto; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
a { color: var(--link); }
p { max-width: 46rem; }
section { margin-top: 2.5rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
.question { font-size: 1.1rem; margin: 0 0 1rem; color: var(--soft); }
.facts, .notes { color: var(--soft); font-size: .85rem; }
.notes { padding-left: 1.1rem; max-width: 46rem; }
.kept { list-style: none; padding: 0; margin: 0 0 1rem; }
.kept li { margin: .35rem 0; }
.badge {
  display: inline-block; padding: 0 .55em; border-radius: 1em; font-size: .8rem; font-weight: 600; white-space: nowrap;
}
.good { color: var(--good); background: var(--good-ground); }
.bad { color: var(--bad); background: var(--bad-ground); }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .4rem .7rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { color: var(--soft); font-weight: 600; font-size: .8rem; vertical-align: bottom; }
tbody th { font-weight: 500; min-width: 9rem; }
tbody tr:nth-child(even) { background: var(--stripe); }
.number { text-align: right; white-space: nowrap; }
thead .number { white-space: normal; }
.below th { font-weight: 400; color: var(--soft); padding-left: 1.6rem; }
.below td { color: var(--soft); }
.targets td:nth-child(2) { min-width: 14rem; }
figure { margin: 1.5rem 0; }
figcaption { font-weight: 600; margin-bottom: .5rem; }
figure svg { display: block; max-width: 100%; height: auto; }
.narrow { display: none; }
pre { overflow-x: auto; padding: 1rem; background: var(--stripe); border-radius: .4rem; font-size: .85rem; }
@media (max-width: 48rem) {
  .wide { display: none; }
  .narrow { display: block; }
  body { padding: 1.25rem 1rem 3rem; }
}
@media print { section { break-inside: avoid; } }
`
