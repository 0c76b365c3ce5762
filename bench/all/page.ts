import { drawChart, escapeXml as text } from '../lib/draw-chart.js'
import { cellText } from '../lib/print-result.js'
import { type Chart, isKept, type Result, type ResultTable, type Target } from '../lib/result.js'
import { percent } from '../lib/table.js'
import type { Outcome } from './outcome.js'
import { style } from './style.js'

// Widths in pixels. Each chart is drawn twice, because one for a wide page is unreadable on a narrow one.
const [wide, narrow] = [940, 350]

/** One page with all results, without references to other files. */
export function pageOf(outcomes: readonly Outcome[]): string {
  const newest = outcomes
    .map(({ at }) => at)
    .sort()
    .at(-1)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Parley: measurements</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>Parley: measurements</h1>
<p>Each scenario answers one question, beside the least that the same machine allows, in the same run. Read ratios rather than
microseconds: machines differ, and so do runs.${newest ? ` Newest result: ${text(dayOf(newest))}.` : ''}</p>
</header>
<main>
${summary(outcomes)}
${outcomes.map(section).join('\n')}
</main>
</body>
</html>
`
}

function summary(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ scenario, result, failure }) =>
    failure === null
      ? (result?.targets ?? []).map(target => targetRow(scenario, target))
      : [
          `<tr class="missed"><td>${link(scenario)}</td><td colspan="3">failed</td><td>${badge(false, 'failed')}</td></tr>`,
        ],
  )
  if (rows.length === 0) return ''
  const all = outcomes.flatMap(({ result }) => result?.targets ?? [])
  return `<section>
<h2>Targets</h2>
<p>${all.filter(isKept).length} of ${all.length} kept.</p>
<div class="table"><table class="targets">
<thead><tr><th>scenario</th><th>target</th><th class="number">found</th><th class="number">promised</th><th></th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
</section>`
}

function targetRow(scenario: string, target: Target): string {
  const { what, limit, found, is, unit } = target
  const digits = Math.abs(found) >= 100 ? 0 : 2
  return `<tr><td>${link(scenario)}</td><td>${text(what)}</td><td class="number">${found.toFixed(digits)} ${text(unit)}</td>
<td class="number">${is === 'atMost' ? '≤' : '≥'} ${limit} ${text(unit)}</td><td>${badge(isKept(target), isKept(target) ? 'kept' : 'missed')}</td></tr>`
}

const link = (scenario: string): string => `<a href="#${text(scenario)}">${text(scenario)}</a>`
const badge = (isGood: boolean, word: string): string => `<span class="badge ${isGood ? 'good' : 'bad'}">${word}</span>`

function section({ scenario, question, at, commit, seconds, result, failure }: Outcome): string {
  const facts = [dayOf(at), ...(commit ? [`commit ${commit}`] : []), `took ${seconds} s`]
  const body =
    failure === null && result
      ? found(result)
      : `<p>${badge(false, 'failed')}</p><pre>${text(failure ?? 'no result')}</pre>`
  return `<section id="${text(scenario)}">
<h2>${text(scenario)}</h2>
<p class="question">${text(question)}</p>
${body}
<p class="facts">${text(facts.join(' · '))}</p>
</section>`
}

function found({ machine, options, othersShare, notes, tables, charts, targets }: Result): string {
  const facts = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Linux ${machine.linux}, Node ${machine.node}`,
    Object.entries(options)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    `Other processes took ${percent(othersShare.median)} of the machine at the median, ${percent(othersShare.most)} at most.`,
  ]
  return [
    targets.length > 0 ? `<ul class="kept">${targets.map(targetItem).join('')}</ul>` : '',
    ...charts.map(figure),
    ...tables.map(tableOf),
    notes.length > 0 ? `<ul class="notes">${notes.map(note => `<li>${text(note)}</li>`).join('')}</ul>` : '',
    `<p class="facts">${facts.map(text).join('<br>')}</p>`,
  ].join('\n')
}

const targetItem = (target: Target): string =>
  `<li>${badge(isKept(target), isKept(target) ? 'kept' : 'missed')} ${text(target.what)}</li>`

const figure = (chart: Chart): string => `<figure>
<figcaption>${text(chart.title)}</figcaption>
<div class="wide">${drawChart(chart, wide)}</div>
<div class="narrow">${drawChart(chart, narrow)}</div>
</figure>`

function tableOf({ title, columns, rows }: ResultTable): string {
  const head = columns.map(({ name }, i) => `<th${i > 0 ? ' class="number"' : ''}>${text(name)}</th>`).join('')
  const lines = rows.map(({ name, cells }) => {
    const values = cells.map((cell, i) => `<td class="number">${text(cellText(cell, columns[i + 1]))}</td>`).join('')
    // An indented row belongs to the row above.
    return `<tr${/^\s/.test(name) ? ' class="below"' : ''}><th scope="row">${text(name.trim())}</th>${values}</tr>`
  })
  return `<h3>${text(title)}</h3>
<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`
}

const dayOf = (at: string): string => `${at.slice(0, 10)}, ${at.slice(11, 16)} UTC`
