import { z } from 'zod'
import { ApiError } from '../../shared/errors.js'
import { codePoints } from '../../shared/limits.js'
import { reactionTypes } from '../../shared/resources/message.js'
import { budgets } from '../config/budgets.js'
import { type ListBounds, ListTooLong, parseJson } from '../text/bounded-json.js'
import { wellFormed } from '../text/content.js'
import { listBounds } from './list-bounds.js'

// Over HTTP a parameter is text; on the socket it is a value. These schemas accept both: `json` parses text as JSON and
// leaves values unchanged (docs/protocol/conventions.md#types).
/**
 * @throws {ApiError} BAD_REQUEST for a text beyond budgets.jsonDepth or budgets.jsonItems
 * @throws {ListTooLong} for a text with a list beyond its bound
 */
export function readJson(value: unknown, lists?: ListBounds): unknown {
  if (typeof value !== 'string' || isPlainWord(value)) return value
  try {
    return parseJson(value, lists)
  } catch (thrown) {
    if (thrown instanceof ApiError || thrown instanceof ListTooLong) throw thrown
    return value
  }
}

// No JSON text begins with these letters; t, f and n may begin true, false and null.
const wordStart = /^[A-Za-eg-mo-su-z]/
const jsonWords: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Detects text that is certainly not JSON: for such text the parser would throw, which costs as much as a schema check. */
const isPlainWord = (value: string): boolean =>
  wordStart.test(value) || (/^[fnt]/.test(value) && !jsonWords.has(value.trimEnd()))

/** Reads a word that is sent raw or JSON-quoted. */
export function readWord(value: unknown): unknown {
  const read = readJson(value)
  return typeof read === 'string' ? read : value
}

/** How to refuse lists that are too long, where an operation has an error code of its own for them. */
interface ListRules {
  readonly lists: ListBounds
  /** The error for a list at this depth. */
  readonly refusal: (depth: number) => ApiError
}

/** A parameter whose text is JSON. The items of its lists are counted before it is parsed. */
export function json<Schema extends z.ZodType>(schema: Schema, rules?: ListRules) {
  let lists = rules?.lists
  return z.preprocess((sent, context) => {
    try {
      // Made when a text first needs them, because a start makes the schemas of all operations.
      if (typeof sent === 'string') lists ??= listBounds(schema)
      return readJson(sent, lists)
    } catch (thrown) {
      if (!(thrown instanceof ListTooLong)) throw thrown
      const { message, path } = thrown
      const params = { refusal: rules?.refusal(path.length) }
      context.addIssue({ code: 'custom', message, path: [...path], params, input: sent })
      return sent
    }
  }, schema)
}

export const integer = (limits: { min?: number; max?: number } = {}) =>
  z.preprocess(
    value => readJson(value),
    z
      .int()
      .min(limits.min ?? Number.MIN_SAFE_INTEGER)
      .max(limits.max ?? Number.MAX_SAFE_INTEGER),
  )
export const boolean = () => z.preprocess(value => readJson(value), z.boolean())
/** Raw text, even if it looks like JSON; at most `most` code points. Half of a surrogate pair becomes U+FFFD, as in a form. */
export const text = (most: number = budgets.nameCharacters.most, refusal: string = tooLong(most)) =>
  z
    .string()
    .overwrite(wellFormed)
    .refine(value => isWithin(value, most), refusal)
    .meta({ maxLength: most })
/** Text as PostgreSQL and JSON in it can store it. */
export const storableText = (most?: number, refusal?: string) =>
  text(most, refusal).refine(value => !value.includes('\0'), 'Must not contain null bytes.')
/** Content or topic of a message; the server truncates a longer one to its limit. */
export const cutText = () => text(budgets.textCharacters.most)

/** Counts code points only where the number of UTF-16 units does not decide. */
const isWithin = (value: string, most: number): boolean =>
  value.length <= most || (value.length <= 2 * most && codePoints(value) <= most)

const tooLong = (most: number) => `Too long: at most ${most} characters.`
/** Text to store, trimmed: 1 to `max` code points. */
export const keptText = (max: number) =>
  z
    .string()
    .transform(value => wellFormed(value.trim()))
    .refine(value => value !== '', 'Cannot be blank.')
    .refine(value => codePoints(value) <= max, tooLong(max))
    .refine(value => !value.includes('\0'), 'Must not contain null bytes.')
    .meta({ minLength: 1, maxLength: max })
/** One of several words, sent raw or JSON-quoted (docs/protocol/conventions.md#types). */
export const word = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  z.preprocess(readWord, z.enum(words))

/** The type of an emoji, which the operation checks because it may carry the brand. */
export const reactionType = () => text().meta({ enum: reactionTypes })

/** Code of an emoji of any type. */
export const emojiCode = () => storableText()

/** An id in the path: of a message, or of an object that is looked up in memory. */
export const pathId = () => integer({ min: 0 })
// The largest 32-bit integer.
const maxId = 2_147_483_647
/** Ids of users, channels and groups: 32-bit. */
export const idNumber = z.int().min(0).max(maxId)
/** Such an id as a separate parameter, in the path too. */
export const shortId = () => integer({ min: 0, max: maxId })

/** A list of at most `most` items, which are counted before any is checked. A text or number that is repeated is taken once. */
export const list = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((sent, context) => upToFirstWrong(item, distinct(counted(sent, most, context))), bounded(item, most))
/** A list of at most `most` items that keeps repeated items. */
export const listWithRepeats = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((sent, context) => upToFirstWrong(item, counted(sent, most, context)), bounded(item, most))
/** A list of at most `most` items whose repeated items the operation refuses. */
export const listWithoutRepeats = <Item extends z.ZodType>(item: Item, most: number) =>
  listWithRepeats(item, most).meta({ uniqueItems: true })
/** A list that the operation refuses beyond `most` items, with an error code of its own. */
export const cutList = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess(sent => upToFirstWrong(item, cut(sent, most)), z.array(item).meta({ maxItems: most }))
/** An object of at most `most` keys, which are counted before any value is checked. */
export const record = <Value extends z.ZodType>(value: Value, most: number) =>
  z.preprocess(
    (sent, context) => {
      if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > most)
        refuse(sent, most, 'keys', context)
      return sent
    },
    z.record(text(), value).meta({ maxProperties: most }),
  )
/** Ids of users, channels or groups. */
export const idList = (most: number = budgets.idsPerList.most) => list(idNumber, most)

/** Refuses a list of more than `most` items; other values as they are. */
function counted(value: unknown, most: number, context: z.RefinementCtx): unknown {
  if (!Array.isArray(value) || value.length <= most) return value
  refuse(value, most, 'items', context)
  return z.NEVER
}

/** The schema behind the preprocessing does not run then. */
const refuse = (input: unknown, most: number, what: 'items' | 'keys', context: z.RefinementCtx) =>
  context.addIssue({ code: 'custom', message: `Too many: at most ${most} ${what}.`, input })

const bounded = <Item extends z.ZodType>(item: Item, most: number) => z.array(item).max(most)

/** A long list cut to one item more than `most`, which is enough to refuse it; other values as they are. */
const cut = (value: unknown, most: number): unknown =>
  Array.isArray(value) && value.length > most ? value.slice(0, most + 1) : value

const distinct = (value: unknown): unknown => (Array.isArray(value) ? [...new Set(value)] : value)

// Up to this many wrong items in one list cost little time.
const fewItems = 100

/** A long list cut after its first wrong item: a schema reports each wrong item, while the answer names only one. */
function upToFirstWrong(item: z.ZodType, value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= fewItems) return value
  const wrong = value.findIndex(one => !item.safeParse(one).success)
  return wrong < 0 ? value : value.slice(0, wrong + 1)
}
