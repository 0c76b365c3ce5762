import type { Directory } from '../memory/directory.js'
import type { UserRow } from '../store/users/users.js'
import { isAdministrator } from './roles.js'

/** Whose password alone is not enough, whether they have set up a second factor or not. */
export const factorRequirements = ['none', 'administrators', 'users'] as const

export type FactorRequirement = (typeof factorRequirements)[number]

/** The name in the organization's settings; no client but the page knows it, so it is no `realm_` field. */
export const requirementSetting = 'second_factor_required_for'

export const factorRequirement = ({ organization }: Directory): FactorRequirement =>
  factorRequirements.find(one => one === organization.settings[requirementSetting]) ?? 'none'

/** Whether the user needs a second factor to sign in by password. */
export function needsFactor(directory: Directory, user: UserRow): boolean {
  const requirement = factorRequirement(directory)
  return requirement === 'users' || (requirement === 'administrators' && isAdministrator(user))
}
