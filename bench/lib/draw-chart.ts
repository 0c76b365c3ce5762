import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent } from 'echarts/components'
import { type EChartsCoreOption, init, setPlatformAPI, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Chart } from './result.js'

use([BarChart, LineChart, GridComponent, LegendComponent, SVGRenderer])

// Colors of equal lightness that color-blind readers can distinguish (Okabe and Ito), on light and dark backgrounds.
const palette = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#8c8c8c']
// Placeholder for the color of the surrounding text: the library needs a real color.
const ink = '#010203'
const faint = 'rgba(128,128,128,0.35)'
const font = 'system-ui, sans-serif'
const label = { color: ink, fontFamily: font, fontSize: 12 }
const lineHeight = 320
// Height of a bar, and space between categories, in pixels.
const [barHeight, barGap] = [13, 12]

// Without a browser the width of a text is unknown: this estimate exceeds that of most fonts, so that nothing overlaps.
const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, character) => sum + (/[iljtfrI.,:;|' ]/.test(character) ? 0.36 : 0.63), 0) * size
setPlatformAPI({
  measureText: (text, font) => ({ width: widthOf(text, Number(/(\d+)px/.exec(font ?? '')?.[1] ?? 12)) }),
})

/** A chart as SVG with a transparent background, in the color of the surrounding text. */
export function drawChart(chart: Chart, width: number): string {
  const height = heightOf(chart)
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height })
  drawing.setOption({ animation: false, color: palette, ...optionsOf(chart, width) } satisfies EChartsCoreOption)
  const svg = drawing.renderToSVGString()
  drawing.dispose()
  const name = `role="img" aria-label="${escapeXml(chart.title)}"`
  return svg.replaceAll(ink, 'currentColor').replace('<svg ', `<svg ${name} `)
}

/** Several charts in one SVG with a background, one below the other. */
export function drawCharts(charts: readonly Chart[], width = 800): string {
  const title = 28
  let top = 0
  const pieces = charts.map(chart => {
    const at = top
    top += title + heightOf(chart) + 16
    const text = `<text x="8" y="${at + 18}" font-family="${font}" font-size="15" font-weight="600">${escapeXml(chart.title)}</text>`
    return text + drawChart(chart, width).replace('<svg ', `<svg x="0" y="${at + title}" `)
  })
  const size = `width="${width}" height="${top}" viewBox="0 0 ${width} ${top}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} color="#222" fill="#222"><rect width="100%" height="100%" fill="#fff"/>${pieces.join('')}</svg>\n`
}

const heightOf = (chart: Chart): number =>
  chart.kind === 'lines' ? lineHeight : 80 + categoriesOf(chart).length * (chart.series.length * barHeight + barGap)

const categoriesOf = ({ series }: Chart): string[] => [
  ...new Set(series.flatMap(({ points }) => points.map(([x]) => String(x)))),
]

function optionsOf(chart: Chart, width: number): EChartsCoreOption {
  const legend =
    chart.series.length > 1
      ? { type: 'plain', top: 0, left: 0, itemWidth: 14, itemHeight: 8, textStyle: label, icon: 'roundRect' }
      : { show: false }
  // A legend of several rows reduces the chart's height.
  const rows = Math.ceil(chart.series.reduce((sum, { name }) => sum + widthOf(name, label.fontSize) + 34, 0) / width)
  const top = chart.series.length > 1 ? 16 + rows * 20 : 16
  return chart.kind === 'lines' ? { legend, ...linesOf(chart, top) } : { legend, ...barsOf(chart, top, width) }
}

function linesOf({ x, y, series }: Chart, top: number): EChartsCoreOption {
  return {
    grid: { left: 8, right: 24, top: top + 16, bottom: 24, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: { ...valueAxis(x), nameLocation: 'middle', nameGap: 26 },
    yAxis: { ...valueAxis(y), nameLocation: 'end', nameTextStyle: { ...label, align: 'left' } },
    series: series.map(({ name, points }) => ({
      type: 'line',
      name,
      data: points,
      // Marks the points of a curve with few points.
      showSymbol: points.length <= 20,
      symbolSize: 6,
      lineStyle: { width: 1.8 },
    })),
  }
}

/** Horizontal bars, because names of cases are long. */
function barsOf(chart: Chart, top: number, width: number): EChartsCoreOption {
  const { y, series } = chart
  const categories = categoriesOf(chart)
  return {
    grid: { left: 8, right: 56, top, bottom: 24, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: { ...valueAxis(y), nameLocation: 'middle', nameGap: 26 },
    yAxis: {
      type: 'category',
      data: categories,
      inverse: true,
      axisTick: { show: false },
      axisLine: { lineStyle: { color: faint } },
      axisLabel: { ...label, width: Math.round(width * 0.34), overflow: 'break' },
    },
    series: series.map(({ name, points }) => ({
      type: 'bar',
      name,
      barGap: '10%',
      barMaxWidth: barHeight,
      data: categories.map(category => points.find(([x]) => String(x) === category)?.[1] ?? null),
      label: { show: true, position: 'right', ...label, fontSize: 11, formatter: shortNumber },
    })),
  }
}

const valueAxis = ({ name, logarithmic }: Chart['x']) => ({
  type: logarithmic ? ('log' as const) : ('value' as const),
  name,
  nameTextStyle: label,
  axisLabel: { ...label, hideOverlap: true },
  axisLine: { show: true, lineStyle: { color: faint } },
  splitLine: { lineStyle: { color: faint, width: 0.7 } },
  minorSplitLine: { show: false },
})

function shortNumber({ value }: { value: unknown }): string {
  return typeof value === 'number' ? Number(value.toPrecision(3)).toLocaleString('en-US') : ''
}

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
