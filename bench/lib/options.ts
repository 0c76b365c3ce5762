import { type ParseArgsConfig, parseArgs } from 'node:util'

type Defaults = Readonly<Record<string, number | string | boolean>>
type Options<Given extends Defaults> = {
  readonly [Name in keyof Given]: Given[Name] extends number ? number : Given[Name] extends boolean ? boolean : string
}

/**
 * Reads the options of a scenario from their defaults; `perSecond` is `--per-second`, and `--no-limits` sets `limits` to false.
 * @throws unless each number is above zero, and for unknown options
 */
export function readOptions<Given extends Defaults>(args: string[], defaults: Given): Options<Given> {
  const optionOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      optionOf(name),
      { type: typeof value === 'boolean' ? 'boolean' : 'string' },
    ]),
  )
  const { values } = parseArgs({ args, allowNegative: true, options })
  const read = ([name, byDefault]: [string, number | string | boolean]) => {
    const given = values[optionOf(name)] ?? byDefault
    return [name, typeof byDefault === 'number' ? numberOf(optionOf(name), String(given)) : given]
  }
  return Object.fromEntries(Object.entries(defaults).map(read)) as Options<Given>
}

/** Numbers with commas between them. */
export const numbersOf = (name: string, text: string): number[] => text.split(',').map(one => numberOf(name, one))

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0 && number < Number.POSITIVE_INFINITY)) throw new Error(`--${name} is a number above zero`)
  return number
}
