import { z } from 'zod'
import { badRequest } from '../../shared/errors.js'
import { parseJson } from '../text/bounded-json.js'
import type { IncomingMessage } from './integration.js'

const patterns = z.array(z.string().max(100)).max(100)

/**
 * The messages whose events the address asks for: their names match one pattern of `only`, and none of `exclude`. A message without an event is
 * always wanted.
 * @throws {ApiError} BAD_REQUEST: a parameter is no list of texts
 */
export function wantedMessages(
  messages: readonly IncomingMessage[],
  { only, exclude }: { readonly only: string | undefined; readonly exclude: string | undefined },
): readonly IncomingMessage[] {
  const [wanted, unwanted] = [patternsOf(only), patternsOf(exclude)]
  return messages.filter(({ event }) => {
    if (event === undefined) return true
    return (wanted?.some(one => matches(one, event)) ?? true) && !unwanted?.some(one => matches(one, event))
  })
}

function patternsOf(given: string | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined
  const read = patterns.safeParse(parsed(given))
  if (!read.success) throw badRequest('The events are a list of patterns.')
  return read.data
}

function parsed(given: string): unknown {
  try {
    return parseJson(given)
  } catch {
    return undefined
  }
}

// A name of an event is short, so patterns with many stars stay cheap: each row of the table is computed once.
function matches(pattern: string, name: string): boolean {
  const parts = partsOf(pattern)
  let row = [true, ...parts.map(() => false)]
  for (let i = 0; i < parts.length; i++) row[i + 1] = row[i] === true && parts[i] === '*'
  for (const character of name) {
    const next = [false]
    parts.forEach((part, i) => {
      const fits = part === '*' ? row[i + 1] === true || next[i] === true : row[i] === true && part(character)
      next.push(fits)
    })
    row = next
  }
  return row.at(-1) === true
}

type Part = '*' | ((character: string) => boolean)

/** `*` any text, `?` any character, `[…]` one of these, with ranges, `[!…]` none of these. */
function partsOf(pattern: string): Part[] {
  return [...pattern.matchAll(/\[!?\]?[^\]]*\]|[\s\S]/gu)].map(([part]) => {
    if (part === '*') return part
    if (part === '?') return () => true
    if (part.length < 3) return character => character === part
    return oneOf(part.slice(1, -1))
  })
}

function oneOf(inside: string): (character: string) => boolean {
  const isNot = inside.startsWith('!')
  const ranges = [...inside.slice(isNot ? 1 : 0).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)]
  return character =>
    isNot !==
    ranges.some(([one, from, to]) =>
      from === undefined || to === undefined ? character === one : from <= character && character <= to,
    )
}
