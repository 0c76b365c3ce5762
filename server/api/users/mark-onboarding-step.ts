import { z } from 'zod'
import { onboardingStepNames } from '../../../shared/resources/onboarding-step.js'
import { markOnboardingStep as mark } from '../../actions/users/mark-onboarding-step.js'
import { text } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

export const markOnboardingStep = route({
  operation: 'mark_onboarding_step',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  doc: 'Notes that you have seen something that clients explain once.',
  allow: anyHuman,
  params: z.object({ onboarding_step: text().meta({ enum: onboardingStepNames }).describe('Name of the step.') }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await mark(ctx, actor, params.onboarding_step)
    return {}
  },
})
