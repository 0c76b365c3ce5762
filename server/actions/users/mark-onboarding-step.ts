import { badRequest } from '../../../shared/errors.js'
import { onboardingStepsEvent } from '../../../shared/events/onboarding-steps.js'
import { isOnboardingStep, stepsLeft } from '../../../shared/resources/onboarding-step.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { changeUser } from '../store-user.js'

/** The caller has seen a step; a step that it has seen before is no error. @throws {ApiError} BAD_REQUEST */
export async function markOnboardingStep(ctx: Ctx, actor: Actor, name: string): Promise<void> {
  if (!isOnboardingStep(name)) throw badRequest(`Unknown onboarding_step: ${name}`)
  await changeUser(ctx, async (_, emit) => {
    const user = currentUser(ctx.directory, actor.user)
    if (user.onboarding_seen.includes(name)) return null
    const seen = [...user.onboarding_seen, name]
    emit(onboardingStepsEvent, { onboarding_steps: stepsLeft(seen) }, [user.id])
    return { user, change: { onboarding_seen: seen } }
  })
}
