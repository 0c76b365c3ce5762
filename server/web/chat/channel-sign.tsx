import { createEffect, type JSX } from 'solid-js'
import { t } from '../language/language.js'
import { Icon } from '../look/icon.js'
import { channelOf } from '../state/channels.js'
import { useChat } from './chat.js'

/** A channel's icon in the user's color for it: a lock, a globe, or a hash. */
export function ChannelSign(props: { id: number; size?: number }): JSX.Element {
  const chat = useChat()
  const channel = () => channelOf(chat.state, props.id)
  const kind = () => (channel()?.invite_only ? 'lock' : channel()?.is_web_public ? 'globe' : 'hash')
  const title = () => t(titles[kind()])
  let place: HTMLSpanElement | undefined
  // Set through the DOM, because the Content-Security-Policy forbids inline styles.
  createEffect(() => place?.style.setProperty('--channel', safeColor(chat.state.subscriptions[props.id]?.color)))
  return (
    <span class="channel-sign" ref={place} title={title()}>
      {kind() === 'hash' ? (
        <b aria-hidden="true">#</b>
      ) : (
        <Icon name={kind() as 'lock' | 'globe'} size={props.size ?? 15} />
      )}
      <span class="unseen">{title()} </span>
    </span>
  )
}

const titles = { lock: 'sidebar.private', globe: 'sidebar.web', hash: 'sidebar.public' } as const

const safeColor = (color: string | undefined): string =>
  /^#[0-9a-f]{3,8}$/i.test(color ?? '') ? (color as string) : '#8a8f98'
