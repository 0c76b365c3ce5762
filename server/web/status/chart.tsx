import { createEffect, type JSX, onCleanup, onMount, untrack } from 'solid-js'
import uPlot from 'uplot'
import { locale, t } from '../language/language.js'
import { short } from './format.js'
import type { Ink, Label, Panel } from './panels.js'
import type { Point } from './point.js'

const height = 168

/** A chart of the last minutes with the newest values above it. */
export function Chart(props: {
  panel: Panel
  times: readonly number[]
  points: readonly Point[]
  /** Changes with the theme of the page. */
  look: string
}): JSX.Element {
  let place: HTMLDivElement | undefined
  let plot: uPlot | undefined
  const data = (): uPlot.AlignedData => [
    [...props.times],
    ...props.panel.lines.map(({ field }) => props.points.map(point => point[field] ?? null)),
  ]
  const draw = () => {
    if (!place) return
    plot?.destroy()
    plot = new uPlot(options(props.panel, place.clientWidth), data(), place)
  }
  onMount(() => {
    const watch = new ResizeObserver(() => {
      const width = place?.clientWidth ?? 0
      if (plot && width > 0 && width !== plot.width) plot.setSize({ width, height })
    })
    if (place) watch.observe(place)
    onCleanup(() => {
      watch.disconnect()
      plot?.destroy()
    })
  })
  createEffect(() => {
    // Colors are fixed when a canvas is drawn, so a new theme needs a new canvas.
    void props.look
    untrack(draw)
  })
  createEffect(() => plot?.setData(data()))
  return (
    <section class="panel card">
      <header>
        <h2>
          {t(props.panel.title)} <span class="unit">{props.panel.unit}</span>
        </h2>
        <p class="legend">
          {props.panel.lines.map(({ field, label, ink }) => (
            <span class={`legend-line ${ink}`}>
              {labelOf(label)} <b>{shortOrDash(props.points.at(-1)?.[field])}</b>
            </span>
          ))}
        </p>
      </header>
      <div
        class="plot"
        role="img"
        aria-label={t('status.panelHint', t(props.panel.title), t(props.panel.hint))}
        ref={place}
      />
      <p class="hint">{t(props.panel.hint)}</p>
    </section>
  )
}

const labelOf = (label: Label): string => (typeof label === 'string' ? t(label) : label.name)

const shortOrDash = (value: number | undefined): string => (value === undefined ? '–' : short(value))

function options({ lines }: Panel, width: number): uPlot.Options {
  const [grid, text] = [colour('--line'), colour('--faint')]
  const axis: uPlot.Axis = {
    stroke: text,
    font: '11px ui-sans-serif, system-ui, sans-serif',
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    padding: [8, 28, 0, 0],
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(high * 1.15, 1)] } },
    axes: [
      { ...axis, size: 26, space: 70, values: (_plot, seconds) => seconds.map(clock) },
      { ...axis, size: 44, space: 36, values: (_plot, values) => values.map(short) },
    ],
    series: [
      {},
      ...lines.map(({ label, ink }, i) => ({
        label: labelOf(label),
        stroke: colour(inks[ink]),
        width: 1.75,
        points: { show: false },
        fill: i === 0 ? colour('--chart-fill') : undefined,
      })),
    ],
  }
}

const inks: Record<Ink, string> = { first: '--accent', second: '--chart-second', third: '--chart-third' }

const clock = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString(locale(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  })

/** The current value of a CSS variable: a canvas cannot use variables. */
function colour(variable: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${variable})`
  document.body.append(probe)
  const found = getComputedStyle(probe).color
  probe.remove()
  return found
}
