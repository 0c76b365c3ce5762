import { createEffect, onCleanup, untrack } from 'solid-js'
import { bestLanguage, languages, t } from '../language/language.js'
import { browserLanguage, keepLanguage, openLanguage } from '../language/page-language.js'
import type { Chat } from './chat.js'

/** Speaks the language of the user's settings; the browser keeps it for the next start. */
export function followLanguage(chat: Chat): void {
  let isStart = true
  createEffect(() => {
    const code = chat.isReady() ? chat.state.user_settings.default_language : undefined
    if (!code) return
    let isOver = false
    onCleanup(() => {
      isOver = true
    })
    if (isStart) untrack(() => offerOther(chat, code))
    isStart = false
    keepLanguage(code)
    void openLanguage([code], () => !isOver)
  })
}

/** At the first start in a browser, the account may speak another language than the browser prefers, in which the user has signed in. */
function offerOther(chat: Chat, code: string): void {
  const wanted = browserLanguage()
  const next = bestLanguage([code])
  if (!wanted || wanted === next) return
  // As in a new account of this language.
  const { hour12 } = new Intl.DateTimeFormat(wanted, { hour: 'numeric' }).resolvedOptions()
  const settings = { default_language: wanted, twenty_four_hour_time: hour12 === false }
  const work = () => void chat.attempt(() => chat.ask('PATCH', '/settings', settings))
  const title = t('notice.speak', languages[wanted].name)
  chat.say(t('notice.otherLanguage', languages[next].name), 'plain', { title, work })
}
