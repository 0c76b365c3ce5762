import { z } from 'zod'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

export const alertWordsEvent = defineEvent('alert_words', {
  doc: 'The receiver added or removed alert words; the event contains the whole list.',
  fields: z.object({ alert_words: z.array(z.string()) }),
  changesDirectory: true,
  apply: applyAlertWords,
})

export function applyAlertWords(
  state: ClientState & { alert_words?: string[] },
  event: { alert_words: string[] },
): void {
  if (state.alert_words) state.alert_words = event.alert_words
}
