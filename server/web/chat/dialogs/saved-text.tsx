import { type JSX, Show } from 'solid-js'

interface SavedTextProps {
  readonly title: string
  readonly value: string
  readonly maxLength: number
  /** Of a text with several lines. */
  readonly rows?: number
  /** False: the server has refused the text. */
  save(text: string): Promise<boolean>
}

/** A text that is saved when the user leaves its field; the field goes back to the present text if the server refuses another one. */
export function SavedText(props: SavedTextProps): JSX.Element {
  const change = async (element: HTMLInputElement | HTMLTextAreaElement) => {
    if (!(await props.save(element.value.trim()))) element.value = props.value
  }
  return (
    <label class="field">
      {props.title}
      <Show
        when={props.rows}
        fallback={
          <input
            class="input"
            dir="auto"
            maxLength={props.maxLength}
            value={props.value}
            onChange={event => void change(event.currentTarget)}
          />
        }
      >
        <textarea
          class="input"
          dir="auto"
          rows={props.rows}
          maxLength={props.maxLength}
          value={props.value}
          onChange={event => void change(event.currentTarget)}
        />
      </Show>
    </label>
  )
}
