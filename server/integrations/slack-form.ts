import { badRequest } from '../../shared/errors.js'
import { parseJson } from '../text/bounded-json.js'
import type { Delivery } from './integration.js'

// What Slack's incoming webhooks and those in their form have in common.

/** The value of a body in JSON, or of the field `payload`. @throws {ApiError} BAD_REQUEST */
export function sentPayload(delivery: Delivery): unknown {
  if (delivery.isJson) return delivery.json()
  const text = delivery.params.get('payload')
  if (text === undefined) throw badRequest('The payload is missing.')
  try {
    return parseJson(text)
  } catch {
    throw badRequest('The payload is not JSON.')
  }
}

/** Slack's links with a label as Markdown. */
export const linked = (text: string): string =>
  text.replace(/<([a-z][a-z0-9+.-]*:\/\/[^<>|\s]+)\|([^<>|]+)>/gi, '[$2]($1)')

/** The parts that are not blank, with an empty line between them. */
export const joined = (parts: readonly (string | undefined)[]): string =>
  parts
    .map(part => part?.trim() ?? '')
    .filter(part => part !== '')
    .join('\n\n')
