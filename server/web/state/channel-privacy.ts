import type { Channel } from '../../../shared/events/client-state.js'

export type Privacy = 'web' | 'public' | 'shared' | 'protected'

export const privacies: readonly Privacy[] = ['web', 'public', 'shared', 'protected']

export function privacyOf(channel: Channel): Privacy {
  if (channel.is_web_public) return 'web'
  if (!channel.invite_only) return 'public'
  return channel.history_public_to_subscribers ? 'shared' : 'protected'
}

/** The parameters of the API that give a channel this privacy. */
export const privacyParams = (privacy: Privacy) => ({
  is_private: privacy === 'shared' || privacy === 'protected',
  is_web_public: privacy === 'web',
  history_public_to_subscribers: privacy !== 'protected',
})
