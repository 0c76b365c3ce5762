import type { Route } from '../api/route.js'
import { parametersOf, pathNames } from './parameters.js'

interface Source {
  /** JSON pointer of a value in the answer. */
  readonly pointer: string
  /** The parameter that takes the value, in all operations that have it as the only one of their path. */
  readonly parameter: string
  /** Other operations that take it. */
  readonly also?: readonly string[]
}

/** What an answer names, by operation. */
export const linkSources: Readonly<Record<string, readonly Source[]>> = {
  add_linkifier: [{ pointer: '/id', parameter: 'filter_id' }],
  add_playground: [{ pointer: '/id', parameter: 'playground_id' }],
  add_push_device: [{ pointer: '/id', parameter: 'push_device_id' }],
  create_bot: [{ pointer: '/user_id', parameter: 'bot_id' }],
  create_channel: [{ pointer: '/id', parameter: 'stream_id' }],
  create_channel_folder: [{ pointer: '/channel_folder_id', parameter: 'channel_folder_id' }],
  create_custom_profile_field: [{ pointer: '/id', parameter: 'field_id' }],
  create_drafts: [{ pointer: '/ids/0', parameter: 'draft_id' }],
  create_event_subscription: [{ pointer: '/id', parameter: 'event_subscription_id' }],
  create_reminder: [{ pointer: '/reminder_id', parameter: 'reminder_id' }],
  create_saved_snippet: [{ pointer: '/saved_snippet_id', parameter: 'saved_snippet_id' }],
  create_scheduled_message: [{ pointer: '/scheduled_message_id', parameter: 'scheduled_message_id' }],
  create_user: [
    { pointer: '/user_id', parameter: 'user_id' },
    { pointer: '/user_id', parameter: 'muted_user_id' },
  ],
  create_user_group: [{ pointer: '/group_id', parameter: 'user_group_id' }],
  export_realm: [{ pointer: '/id', parameter: 'export_id' }],
  get_attachments: [{ pointer: '/attachments/0/id', parameter: 'attachment_id' }],
  get_stream_id: [{ pointer: '/stream_id', parameter: 'stream_id' }],
  request_import: [{ pointer: '/id', parameter: 'import_id' }],
  register: [{ pointer: '/queue_id', parameter: 'queue_id', also: ['get_events', 'delete_queue'] }],
  register_client_device: [{ pointer: '/device_id', parameter: 'device_id', also: ['remove_client_device'] }],
  send_message: [{ pointer: '/id', parameter: 'message_id', also: ['submessage'] }],
}

/** The links of the success of an operation to those that take what it names; `routes` are the documented ones. */
export function linksOf({ operation }: Route, routes: readonly Route[]): { links?: Record<string, unknown> } {
  const links = (linkSources[operation] ?? []).flatMap(source =>
    routes.flatMap(target => {
      const link = linkTo(target, source)
      return link ? [[target.operation, link] as const] : []
    }),
  )
  return links.length > 0 ? { links: Object.fromEntries(links) } : {}
}

function linkTo(route: Route, { pointer, parameter, also = [] }: Source): object | undefined {
  const { operation, path } = route
  const expression = `$response.body#${pointer}`
  const [inPath, ...others] = pathNames(path)
  // A parameter with several names is called by all of them (paths.ts).
  if (others.length === 0 && inPath?.split('_or_').includes(parameter))
    return { operationId: operation, parameters: { [inPath]: expression } }
  if (!also.includes(operation)) return undefined
  const place = parametersOf(route).find(({ name }) => name === parameter)?.place
  return place === 'query'
    ? { operationId: operation, parameters: { [parameter]: expression } }
    : { operationId: operation, requestBody: { [parameter]: `{${expression}}` } }
}
