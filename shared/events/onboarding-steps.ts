import { z } from 'zod'
import { type OnboardingStep, onboardingStep } from '../resources/onboarding-step.js'
import type { ClientState } from './client-state.js'
import { defineEvent } from './event.js'

export const onboardingStepsEvent = defineEvent('onboarding_steps', {
  doc: 'The receiver has seen a step; the event contains those that are left.',
  fields: z.object({ onboarding_steps: z.array(onboardingStep) }),
  changesDirectory: true,
  apply: applyOnboardingSteps,
})

export function applyOnboardingSteps(
  state: ClientState & { onboarding_steps?: OnboardingStep[] },
  event: { onboarding_steps: OnboardingStep[] },
): void {
  if (state.onboarding_steps) state.onboarding_steps = event.onboarding_steps
}
