import { ApiError } from '../../../shared/errors.js'

/** `subject` is the legacy name of `topic`. @throws {ApiError} REQUEST_CONFUSING_VAR when both are given. */
export function topicParam(params: { topic?: string; subject?: string }): string | undefined {
  if (params.topic !== undefined && params.subject !== undefined) {
    throw new ApiError('REQUEST_CONFUSING_VAR', "Can't decide between 'topic' and 'subject' arguments", {
      var_name1: 'topic',
      var_name2: 'subject',
    })
  }
  return params.topic ?? params.subject
}
