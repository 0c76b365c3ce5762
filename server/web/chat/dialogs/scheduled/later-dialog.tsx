import type { JSX } from 'solid-js'
import { createEffect, on } from 'solid-js'
import { language } from '../../../language/language.js'
import { openSettingsTexts } from '../../../language/settings-language.js'
import { useChat } from '../../chat.js'
import type { Written } from '../../view.js'
import { EditScheduled } from './edit-scheduled.js'
import { RemindMe } from './remind-me.js'
import { SendLater } from './send-later.js'
import './scheduled.css'

interface LaterDialogProps {
  readonly about: { readonly sendLater: Written } | { readonly remind: number } | { readonly scheduled: number }
}

/** The dialogs about what happens at a later time. */
export function LaterDialog(props: LaterDialogProps): JSX.Element {
  const chat = useChat()
  createEffect(on(language, () => void chat.attempt(openSettingsTexts), { defer: true }))
  const { about } = props
  if ('sendLater' in about) return <SendLater written={about.sendLater} />
  if ('remind' in about) return <RemindMe messageId={about.remind} />
  return <EditScheduled id={about.scheduled} />
}
