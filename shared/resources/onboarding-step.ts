import { z } from 'zod'

/** Something that clients explain once to each user, by name. */
const kinds = {
  visibility_policy_banner: 'one_time_notice',
  intro_inbox_view_modal: 'one_time_notice',
  intro_recent_view_modal: 'one_time_notice',
  first_stream_created_banner: 'one_time_notice',
  jump_to_conversation_banner: 'one_time_notice',
  non_interleaved_view_messages_fading: 'one_time_notice',
  interleaved_view_messages_fading: 'one_time_notice',
  intro_resolve_topic: 'one_time_notice',
  narrow_to_dm_with_welcome_bot_new_user: 'one_time_action',
} as const

/** The page's welcome in the inbox: seen when the user has closed it. */
export const welcomeStep = 'intro_inbox_view_modal'

/** The first view of a new account: seen when the page has opened it. */
export const landingStep = 'narrow_to_dm_with_welcome_bot_new_user'

export const onboardingStepNames = Object.keys(kinds)

export const onboardingStep = z.object({
  type: z.enum(['one_time_notice', 'one_time_action']),
  name: z.string().meta({ enum: onboardingStepNames }),
})
export type OnboardingStep = z.output<typeof onboardingStep>

export const isOnboardingStep = (name: string): boolean => Object.hasOwn(kinds, name)

/** The steps that a user has still to see. */
export const stepsLeft = (seen: readonly string[]): OnboardingStep[] =>
  Object.entries(kinds)
    .filter(([name]) => !seen.includes(name))
    .map(([name, type]) => ({ type, name }))
