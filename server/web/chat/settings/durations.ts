import { numberText } from '../../language/format.js'
import type { Option } from './rows.js'

const secondsOf = { minute: 60, hour: 3600, day: 86_400, week: 604_800 }
type Unit = keyof typeof secondsOf

/** So many units, in the language of the page. */
export const amount = (count: number, unit: Unit | 'year'): string =>
  numberText(count, { style: 'unit', unit, unitDisplay: 'long' })

/** Durations to choose from. Their values are in seconds. */
export const durations = (...given: readonly (readonly [unit: Unit, counts: readonly number[]])[]): readonly Option[] =>
  given.flatMap(([unit, counts]) => counts.map((count): Option => [count * secondsOf[unit], () => amount(count, unit)]))
