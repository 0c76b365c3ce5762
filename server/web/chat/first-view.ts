import { createEffect, untrack } from 'solid-js'
import { landingStep } from '../../../shared/resources/onboarding-step.js'
import { createMedia } from '../look/media.js'
import { firstView } from '../state/welcome.js'
import type { Chat } from './chat.js'
import type { View } from './view.js'

/**
 * Opens a view where the address names none: for a user who has just come its first one, otherwise the home view, once the screen is
 * wide.
 */
export function keepFirstView(chat: Chat, view: View): void {
  const isWide = createMedia('(min-width: 760px)')
  let isFirst = true
  createEffect(() => {
    if (!chat.isReady() || view.settings() || view.narrow()) return
    const arriving = isFirst ? untrack(() => firstView(chat.state, Date.now())) : undefined
    isFirst = false
    if (arriving) {
      view.go(arriving, { isReplacing: true })
      // If it fails, the view opens at the next visit again.
      chat.ask('POST', '/users/me/onboarding_steps', { onboarding_step: landingStep }).catch(chat.sayFailure)
      // A wide screen always shows a view beside the sidebar.
    } else if (isWide()) view.goHome(true)
  })
}
