import { z } from 'zod'
import { onboardingStep, stepsLeft } from '../../../shared/resources/onboarding-step.js'
import { currentUser } from '../../lookups/find-user.js'
import type { StatePiece } from '../state-piece.js'

export const onboardingPiece: StatePiece = {
  fetchType: 'onboarding_steps',
  fields: {
    onboarding_steps: z.array(onboardingStep).describe('What the user has still to see; empty for bots.'),
    navigation_tour_video_url: z.string().nullable().describe('Always null.'),
  },
  async read({ ctx, actor }) {
    const user = actor && currentUser(ctx.directory, actor.user)
    const onboarding_steps = user && !user.is_bot ? stepsLeft(user.onboarding_seen) : []
    return { onboarding_steps, navigation_tour_video_url: null }
  },
}
