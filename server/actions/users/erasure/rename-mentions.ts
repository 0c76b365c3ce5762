import type { Ctx } from '../../../ctx.js'
import type { ISql } from '../../../store/driver/db.js'
import {
  dropArchivedVersions,
  mentionAttribute,
  mentioningTexts,
  type PlaceOfTexts,
  placesOfTexts,
  replaceText,
  type StoredText,
} from '../../../store/messages/mentioning.js'
import { escapeText } from '../../../text/escape.js'

interface Renamed {
  readonly userId: number
  /** The name that mentions have from now on. */
  readonly name: string
}

/** Gives the user's mentions in all texts this name: also in archived ones, earlier versions, scheduled messages and reminders. Emits nothing: clients show mentions with the present name. */
export async function renameMentions({ sql }: Pick<Ctx, 'sql'>, renamed: Renamed, signal: AbortSignal): Promise<void> {
  for await (const { place, text } of textsToRename(sql, renamed)) {
    signal.throwIfAborted()
    await replaceText(sql, place, text, withName(text, renamed))
  }
  await dropArchivedVersions(sql, renamed.userId)
}

/** Counts the texts in which a mention has another name. */
export async function countMentions({ sql }: Pick<Ctx, 'sql'>, renamed: Renamed): Promise<number> {
  let count = 0
  for await (const _ of textsToRename(sql, renamed)) count++
  return count
}

/** The texts that mention the user by another name. */
async function* textsToRename(sql: ISql, renamed: Renamed): AsyncGenerator<{ place: PlaceOfTexts; text: StoredText }> {
  for (const place of placesOfTexts) {
    for (let after = 0; ; ) {
      const { last, texts } = await mentioningTexts(sql, place, renamed.userId, after)
      if (last === null) break
      for (const text of texts) {
        if (withName(text, renamed).rendered_content !== text.rendered_content) yield { place, text }
      }
      after = last
    }
  }
}

/** The text with this name in the user's mentions. In the Markdown it finds those of the names that the HTML shows. */
export function withName(text: StoredText, { userId, name }: Renamed): StoredText {
  const former = new Set<string>()
  const mention = new RegExp(
    `(<span class="user-mention[^"]*" ${mentionAttribute(userId)}>)(@?)([^<]*)(?=</span>)`,
    'g',
  )
  const rendered_content = text.rendered_content.replace(mention, (_, start: string, at: string, shown: string) => {
    former.add(unescaped(shown))
    return `${start}${at}${escapeText(name)}`
  })
  let { content } = text
  for (const old of former) {
    for (const sign of ['@', '@_']) {
      for (const end of ['**', `|${userId}**`]) {
        content = content.replaceAll(`${sign}**${old}${end}`, `${sign}**${name}|${userId}**`)
      }
    }
  }
  return { ...text, content, rendered_content }
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
