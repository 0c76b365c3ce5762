import { badRequest } from '../../../shared/errors.js'
import type { Linkifier } from '../../../shared/resources/linkifier.js'
import { type LinkifierProblems, type LinkifierText, linkifierProblems } from '../../text/check-linkifier.js'

/**
 * Throws for a linkifier that is invalid, or conflicts with the others. @throws {ApiError} BAD_REQUEST with `errors` (field or `__all__` to
 * sentences), or with `set_parameter` and `required_parameter`.
 */
export function checkLinkifier(linkifier: LinkifierText, others: readonly Linkifier[]): void {
  if (linkifier.reverse_template !== null && linkifier.example_input === null) {
    throw exampleMissing()
  }
  refuse(linkifierProblems(linkifier))
  if (others.some(other => other.pattern === linkifier.pattern)) {
    refuse({ __all__: ['There is a linkifier with this pattern already.'] })
  }
}

function refuse(errors: LinkifierProblems): void {
  const [first] = Object.values(errors).flat()
  if (first !== undefined) throw badRequest(first, { errors })
}

export const exampleMissing = () =>
  badRequest('A reverse template needs an example input.', {
    set_parameter: 'reverse_template',
    required_parameter: 'example_input',
  })

export const linkifierNotFound = () => badRequest('Linkifier not found.')
