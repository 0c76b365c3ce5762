import { drawCharts } from '../lib/draw-chart.js'
import type { Result } from '../lib/result.js'

/** The charts of a soak in one SVG. */
export const soakPlot = ({ charts }: Result): string => drawCharts(charts)
