import { type JSX, Show } from 'solid-js'

/** Why something failed, which screen readers announce; nothing without a text. */
export function ErrorNotice(props: { text: string | undefined }): JSX.Element {
  return (
    <Show when={props.text}>
      <p class="notice bad" role="alert">
        {props.text}
      </p>
    </Show>
  )
}
