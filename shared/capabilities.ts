/** The capabilities that a client may declare (docs/protocol/register.md#client-capabilities); an absent one means false. */
export const capabilityNames = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
  'streamed_messages',
] as const

export type Capability = (typeof capabilityNames)[number]

/** All options of a queue that change the wire form of its events. Queues with equal views share every encoding (I4). */
export interface View extends Readonly<Record<Capability, boolean>> {
  readonly apply_markdown: boolean
  readonly client_gravatar: boolean
  readonly slim_presence: boolean
  readonly include_subscribers: 'true' | 'false' | 'partial'
  /** Whether `event_types` contains user_topic; such a queue gets no legacy muted_topics events. */
  readonly names_user_topic: boolean
}

export type ViewKey = keyof View
