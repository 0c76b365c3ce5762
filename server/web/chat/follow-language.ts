import { createEffect, onCleanup } from 'solid-js'
import { keepLanguage, openLanguage } from '../language/page-language.js'
import type { Chat } from './chat.js'

/** Speaks the language of the user's settings; the browser keeps it for the next start. */
export function followLanguage(chat: Chat): void {
  createEffect(() => {
    const code = chat.isReady() ? chat.state.user_settings.default_language : undefined
    if (!code) return
    let isOver = false
    onCleanup(() => {
      isOver = true
    })
    keepLanguage(code)
    void openLanguage([code], () => !isOver)
  })
}
