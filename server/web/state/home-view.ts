import type { ChatState } from './chat-state.js'
import type { Narrow } from './narrow.js'

/** The view that the user has chosen as the first one. */
export function homeView({ user_settings }: Pick<ChatState, 'user_settings'>): Narrow {
  switch (user_settings.web_home_view) {
    case 'all_messages':
      return { kind: 'all' }
    case 'recent':
      return { kind: 'recent' }
    default:
      return { kind: 'inbox' }
  }
}
