import { badRequest } from '../../../shared/errors.js'
import { budgets } from '../../budgets.js'
import { readJson } from '../params.js'

// On REST `to` is text: JSON, or a channel's name or emails as they are.

/** The one channel that `to` names, by id or name. @throws {ApiError} BAD_REQUEST */
export function channelParam(to: unknown): number | string {
  const value = readJson(to)
  if (Array.isArray(value) && value.length !== 1) throw badRequest('Expected exactly one channel')
  const one = Array.isArray(value) ? value[0] : value
  if (typeof one === 'string' || (typeof one === 'number' && Number.isSafeInteger(one))) return one
  throw badRequest('Invalid data type for channel')
}

/** The people that `to` names: all by id or all by email. @throws {ApiError} BAD_REQUEST */
export function peopleParam(to: unknown): number[] | string[] {
  const value = readJson(to)
  const given: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
  const list = [...new Set(given)]
  if (list.length > budgets.recipients.most) {
    throw badRequest(`A conversation has at most ${budgets.recipients.most} people.`)
  }
  if (list.every(one => typeof one === 'number' && Number.isSafeInteger(one))) return list as number[]
  if (list.every(one => typeof one === 'string')) {
    return (list as string[]).map(email => email.trim()).filter(email => email !== '')
  }
  throw badRequest('Invalid data type for recipients')
}
