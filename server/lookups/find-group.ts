import { badRequest } from '../../shared/errors.js'
import type { Directory } from '../memory/directory.js'
import { isNamed, type NamedGroup } from '../policies/groups.js'
import { cleanName } from '../text/clean-name.js'

/**
 * A group with a name, possibly a deactivated one.
 * @throws {ApiError} BAD_REQUEST, also for a nameless group, which is only the value of a setting.
 */
export function findGroup(directory: Directory, id: number): NamedGroup {
  const group = directory.groups.get(id)
  if (!isNamed(group)) throw badRequest('Invalid user group')
  return group
}

/** findGroup without deactivated groups. @throws {ApiError} BAD_REQUEST */
export function findActiveGroup(directory: Directory, id: number): NamedGroup {
  const group = findGroup(directory, id)
  if (group.deactivated) throw badRequest('User group is deactivated.')
  return group
}

/** The group that a name in a text means: the exact match, or else the oldest group whose name differs only in case. */
export function groupNamed(directory: Directory, name: string): NamedGroup | undefined {
  const exact = directory.groupsByName.get(name)
  if (isNamed(exact)) return exact
  const inAnyCase = directory.derived(namesInAnyCase)
  return inAnyCase.get(name.toLowerCase()) ?? inAnyCase.get(cleanName(name).toLowerCase())
}

function namesInAnyCase(directory: Directory): Map<string, NamedGroup> {
  const found = new Map<string, NamedGroup>()
  for (const group of [...directory.groups.values()].sort((a, b) => a.id - b.id)) {
    if (!isNamed(group) || group.deactivated) continue
    const name = group.name.toLowerCase()
    if (!found.has(name)) found.set(name, group)
  }
  return found
}
