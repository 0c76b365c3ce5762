import { codePoints, limits } from '../../../shared/limits.js'
import { cutText } from '../../params/schemas.js'

/** A topic that is not cut, because a policy for another topic would surprise. */
export const namedTopic = () =>
  cutText()
    .refine(topic => codePoints(topic.trim()) <= limits.max_topic_length, 'Topic too long.')
    .meta({ maxLength: limits.max_topic_length })
