import { badRequest } from '../../shared/errors.js'
import { budgets } from '../budgets.js'

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const mostLevels = budgets.jsonDepth.most
const mostItems = budgets.jsonItems.most

/**
 * The value of a JSON text that a caller sent. Levels and values are counted before any value is built; a map counts its values,
 * not its keys.
 * @throws {ApiError} BAD_REQUEST beyond budgets.jsonDepth or budgets.jsonItems
 * @throws {SyntaxError} when the text is not JSON
 */
export function parseJson(text: string): unknown {
  // A text of n characters has at most n levels and n values.
  if (text.length > mostLevels && /^\s*[[{]/.test(text) && !isSmall(text)) requireBounds(text)
  return JSON.parse(text)
}

/** @throws {ApiError} BAD_REQUEST, in the words that MessagePack frames share. */
export function requireDepth(levels: number): void {
  if (levels > mostLevels) throw badRequest(`The value nests arrays and objects more than ${mostLevels} levels deep.`)
}

/** @throws {ApiError} BAD_REQUEST, in the words that MessagePack frames share. */
export function requireItems(items: number): void {
  if (items > mostItems) throw badRequest(`The value holds more than ${mostItems} values.`)
}

/** Where the string that began before `start` has its closing quote; the length of the text when it has none. */
export function closingQuote(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
    at++
  }
}

/** Whether it cannot be beyond a budget, for a value takes a character and a comma: cheaper than to count, and true of nearly all. */
function isSmall(text: string): boolean {
  return (
    text.length < 2 * mostItems &&
    countUpTo(mostLevels + 1, '[', text) + countUpTo(mostLevels + 1, '{', text) <= mostLevels
  )
}

function countUpTo(most: number, letter: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(letter); at >= 0 && count < most; at = text.indexOf(letter, at + 1)) count++
  return count
}

function requireBounds(text: string): void {
  let levels = 0
  // The outermost value; each comma stands before one more, and so does each bracket that opens, unless nothing is in it.
  let items = 1
  let before = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 0x20) continue
    if (code === quote) i = closingQuote(text, i + 1)
    else if (code === comma) requireItems(++items)
    else if (isOpening(code)) {
      requireDepth(++levels)
      items++
    } else if (isOpening(code - 2)) {
      levels--
      if (isOpening(before)) items--
    }
    before = code
  }
  requireItems(items)
}

/** Of an array or an object; the closing ones come two places later in ASCII. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b
