import { z } from 'zod'

const text = z.union([z.string(), z.number()]).transform(String)
const given = text.nullish().transform(value => value ?? '')

const generic = z.object({
  response_not_required: z.boolean().optional(),
  response_string: given,
  content: given,
  widget_content: z.string().optional(),
})
const slack = z.object({ text: given })

/** What a bot says; `content` empty: nothing. */
interface Said {
  readonly content: string
  readonly form?: string
}

/** Reads the answer of a bot's server; undefined: it is none that can be used. */
export function readBotAnswer(body: string, form: 1 | 2): Said | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  if (value === '') return { content: '' }
  if (form === 2) {
    const read = slack.safeParse(value)
    return read.success ? { content: read.data.text } : undefined
  }
  // Whatever else is there.
  if (z.object({ response_not_required: z.literal(true) }).safeParse(value).success) return { content: '' }
  const read = generic.safeParse(value)
  if (!read.success) return undefined
  const { response_string, content, widget_content } = read.data
  if (response_string !== '') return { content: response_string }
  return { content, ...(content !== '' && widget_content !== undefined && { form: widget_content }) }
}
