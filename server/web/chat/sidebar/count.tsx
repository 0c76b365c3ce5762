import { type JSX, Show } from 'solid-js'

/** How many are unread; nothing for none. */
export function Count(props: { of: number; isQuiet?: boolean; isMention?: boolean }): JSX.Element {
  return (
    <Show when={props.of > 0}>
      <span class="count" classList={{ quiet: props.isQuiet, mention: props.isMention }}>
        {props.of > 999 ? '999+' : props.of}
        <span class="unseen"> unread</span>
      </span>
    </Show>
  )
}
