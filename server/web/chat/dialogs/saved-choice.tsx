import { createUniqueId, For, type JSX } from 'solid-js'

interface SavedChoiceProps {
  readonly title: string
  readonly value: string
  /** With the language of the text, if it is another one than the page's. */
  readonly options: readonly (readonly [value: string, text: string, lang?: string])[]
  /** False: the server has refused the value. */
  save(value: string): Promise<boolean>
}

/** A choice that is saved at once; the list goes back to the present value if the server refuses another one. */
export function SavedChoice(props: SavedChoiceProps): JSX.Element {
  const id = createUniqueId()
  const change = async (element: HTMLSelectElement) => {
    if (!(await props.save(element.value))) element.value = props.value
  }
  return (
    <div class="field">
      <label for={id}>{props.title}</label>
      <select class="input" id={id} onChange={event => void change(event.currentTarget)}>
        <For each={props.options}>
          {([value, text, lang]) => (
            <option value={value} lang={lang} selected={value === props.value}>
              {text}
            </option>
          )}
        </For>
      </select>
    </div>
  )
}
