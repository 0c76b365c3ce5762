import { badRequest } from '../../../shared/errors.js'
import { onboardingStepsEvent } from '../../../shared/events/onboarding-steps.js'
import { isOnboardingStep, stepsLeft } from '../../../shared/resources/onboarding-step.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { currentUser } from '../../lookups/find-user.js'
import { changeUsers } from '../../store/users/user-changes.js'

/** The caller has seen a step; a step that it has seen before is no error. @throws {ApiError} BAD_REQUEST */
export async function markOnboardingStep({ directory, write }: Ctx, actor: Actor, name: string): Promise<void> {
  if (!isOnboardingStep(name)) throw badRequest(`Unknown onboarding_step: ${name}`)
  const changed = await write(async (tx, emit) => {
    await directory.hold(tx, 'change')
    const user = currentUser(directory, actor.user)
    if (user.onboarding_seen.includes(name)) return []
    const seen = [...user.onboarding_seen, name]
    emit(onboardingStepsEvent, { onboarding_steps: stepsLeft(seen) }, [user.id])
    return changeUsers(tx, [user], { onboarding_seen: seen })
  })
  directory.adopt({ users: changed })
}
