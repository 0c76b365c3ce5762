import type { z } from 'zod'
import type { ErrorCode } from '../../../shared/errors.js'
import type { SlackCall } from './slack-call.js'

export type Fields = Readonly<Record<string, unknown>>

/** A method of Slack's Web API. */
export interface SlackMethod {
  readonly name: string
  /** Others are ignored, as Slack does. */
  readonly args: z.ZodObject
  /** Slack's names of the refusals of the operations that it calls. */
  readonly refusals?: Partial<Record<ErrorCode, string>>
  /** It takes the token of an app, and only that. */
  readonly isOfApp?: true
  handle(call: SlackCall, args: never): Promise<Fields>
}

/** Declares a method; each file has those of one noun. */
export function method<Args extends z.ZodObject>(definition: {
  name: string
  args: Args
  refusals?: Partial<Record<ErrorCode, string>>
  isOfApp?: true
  handle(call: SlackCall, args: z.output<Args>): Promise<Fields>
}): SlackMethod {
  return definition
}
