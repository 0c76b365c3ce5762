import { z } from 'zod'

// Parts that are null count as absent, and unknown ones are ignored. The bounds keep a message small; Slack's own are lower.
const most = 200
const text = z.string()
const given = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform(value => value ?? undefined)

/** A whole address: of a host with a dot, or of this machine. */
const address = z.url({ protocol: /^https?$/, hostname: /^(localhost|[^.]+(\.[^.]+)+)$/ })

const textObject = z.object({ type: z.literal(['plain_text', 'mrkdwn']), text })
const plainText = z.object({ type: z.literal('plain_text'), text })
const imageElement = z.object({ type: z.literal('image'), image_url: address, alt_text: text })
const shown: ReadonlySet<string> = new Set(['image', 'plain_text', 'mrkdwn'])
/** Buttons and the like, which are not shown. */
const otherElement = z.looseObject({ type: text.refine(type => !shown.has(type), 'It lacks what its type needs.') })
const element = z.union([imageElement, textObject, otherElement])

const block = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('section'),
    text: given(textObject),
    accessory: given(z.union([imageElement, otherElement])),
    fields: given(z.array(textObject).max(most)),
  }),
  z.object({ type: z.literal('header'), text: plainText }),
  z.object({ type: z.literal('context'), elements: z.array(element).max(most) }),
  z.object({ type: z.literal('divider') }),
  z.object({ type: z.literal('image'), image_url: address, alt_text: text, title: given(plainText) }),
  z.object({ type: z.literal('actions') }),
  z.object({ type: z.literal('input') }),
])
const blocks = given(z.array(block).max(most))

const attachment = z.object({
  title: given(text),
  title_link: given(address),
  pretext: given(text),
  text: given(text),
  fields: given(z.array(z.object({ title: given(text), value: given(text) })).max(most)),
  blocks,
  image_url: given(address),
  footer: given(text),
  ts: given(z.union([z.number(), text])),
})

/** What Slack's incoming webhooks take, as far as it is shown. */
export const payload = z.object({
  channel: given(text),
  icon_emoji: given(text),
  text: given(text),
  blocks,
  attachments: given(z.array(attachment).max(most)),
})

export type Block = z.output<typeof block>
export type Element = z.output<typeof element>
export type TextObject = z.output<typeof textObject>
export type ImageElement = z.output<typeof imageElement>
export type Attachment = z.output<typeof attachment>
