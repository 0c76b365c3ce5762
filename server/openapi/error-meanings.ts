import type { JsonSchema } from './json-schema.js'

/** The meaning of each error code, for readers of the document. */
export const errorMeanings: Readonly<Record<string, string>> = {
  BAD_REQUEST:
    'A parameter is not of its type or outside its limits, or what is asked for is not possible or not allowed.',
  REQUEST_VARIABLE_MISSING: 'A required parameter is absent.',
  REQUEST_VARIABLE_INVALID: 'A parameter has none of the special words that it may have.',
  REQUEST_CONFUSING_VAR: 'Two names of one parameter were given.',
  INVALID_JSON: 'The body is not JSON.',
  UNAUTHORIZED: 'No credentials, or wrong ones; or the account or the organization is deactivated.',
  INVALID_API_KEY: 'The API key is not known.',
  USER_DEACTIVATED: 'The account is deactivated.',
  REALM_DEACTIVATED: 'The organization is deactivated.',
  AUTHENTICATION_FAILED: 'Wrong user name or password; or the token names no account.',
  PASSWORD_AUTH_DISABLED: 'Nobody signs in with a password here.',
  UNAUTHORIZED_PRINCIPAL: 'Only administrators, or only owners, may do this.',
  PERMISSION_DENIED: 'Only bots may do this.',
  ORIGIN_NOT_ALLOWED: 'Pages of this origin may not connect.',
  NOT_FOUND: 'There is no such thing, or nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path does not take this method.',
  REQUEST_TIMEOUT: 'The body took too long to arrive.',
  REQUEST_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is no form.',
  RATE_LIMIT_HIT: 'Too many requests: come again after `retry-after` seconds.',
  BAD_EVENT_QUEUE_ID: 'The event queue is not known, collected, or of another account: register again.',
  BAD_NARROW: 'The narrow has an operator or operand that is not known, or asks for what cannot be.',
  STREAM_DOES_NOT_EXIST: 'There is no such channel.',
  CHANNEL_ALREADY_EXISTS: 'The name of the channel is taken.',
  CANNOT_DEACTIVATE_LAST_USER: 'The last owner, or the last user, cannot be deactivated.',
  CANNOT_DEACTIVATE_GROUP_IN_USE: 'The group is a subgroup of another one, or the value of a setting.',
  SYSTEM_GROUP_REQUIRED: 'The setting takes system groups only.',
  EXPECTATION_MISMATCH: 'What the caller took for the present value is not it.',
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 'Some of the messages are too old to be moved.',
  REACTION_ALREADY_EXISTS: 'The reaction is there already.',
  REACTION_DOES_NOT_EXIST: 'There is no such reaction.',
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 'The caller may not mention the whole topic.',
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 'The caller may not mention the whole channel.',
  SERVER_NOT_READY: 'The server starts, stops, or lacks a part that it needs: try again.',
  INTERNAL_ERROR: 'The fault is the server’s.',
}

const text: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }

/** The fields of errors beside `result`, `msg` and `code`. */
export const errorFields: Readonly<Record<string, JsonSchema>> = {
  var_name: { ...text, description: 'The parameter.' },
  bad_value: { description: 'What was sent.' },
  var_name1: text,
  var_name2: text,
  allowed_methods: { type: 'array', items: text },
  'retry-after': { type: 'number', description: 'Seconds, also parts of one.' },
  queue_id: text,
  desc: { ...text, description: 'What is wrong with the narrow.' },
  stream: { ...text, description: 'The name that was sent.' },
  stream_id: { ...integer, description: 'The id that was sent.' },
  channel_name: text,
  is_last_owner: { type: 'boolean' },
  entity: text,
  objections: { type: 'array', items: { type: 'object' }, description: 'Where it is used.' },
  setting_name: text,
  field_name: text,
  first_message_id_allowed_to_move: { type: ['integer', 'null'] },
  total_messages_in_topic: integer,
  total_messages_allowed_to_move: integer,
}
