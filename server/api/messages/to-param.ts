import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../config/budgets.js'
import { readJson } from '../../params/schemas.js'
import { ListTooLong } from '../../text/bounded-json.js'

const tooManyChannels = 'Expected exactly one channel'
const tooManyPeople = `A conversation has at most ${budgets.recipients.most} people.`

/** The channel that `to` identifies, by id or name. @throws {ApiError} BAD_REQUEST */
export function channelParam(to: unknown): number | string {
  const value = readTo(to, 1, tooManyChannels)
  if (Array.isArray(value) && value.length !== 1) throw badRequest(tooManyChannels)
  const one = Array.isArray(value) ? value[0] : value
  if (typeof one === 'string' || (typeof one === 'number' && Number.isSafeInteger(one))) return one
  throw badRequest('Invalid data type for channel')
}

/** The users that `to` identifies: all by id or all by email. @throws {ApiError} BAD_REQUEST */
export function peopleParam(to: unknown): number[] | string[] {
  const value = readTo(to, budgets.recipients.most, tooManyPeople)
  const given: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  if (given.length > budgets.recipients.most) throw badRequest(tooManyPeople)
  const list = [...new Set(given)]
  if (list.every(one => typeof one === 'number' && Number.isSafeInteger(one))) return list as number[]
  if (list.every(one => typeof one === 'string')) {
    return (list as string[]).map(email => email.trim()).filter(email => email !== '')
  }
  throw badRequest('Invalid data type for recipients')
}

/** Over HTTP `to` is text: JSON, or an unquoted channel name or list of emails. A list is counted before it is parsed. */
function readTo(to: unknown, most: number, refusal: string): unknown {
  try {
    return readJson(to, [most])
  } catch (thrown) {
    throw thrown instanceof ListTooLong ? badRequest(refusal) : thrown
  }
}
