import { createMemo, type JSX } from 'solid-js'
import { useChat } from './chat.js'
import { markupOf, readerOf } from './markup.js'

/** A description on one line, from its HTML. `isText`: without links, for use in a button. */
export function Description(props: { html: string | undefined; isText?: boolean }): JSX.Element {
  const chat = useChat()
  const shown = createMemo(() => {
    const markup = markupOf(props.html ?? '', readerOf(chat))
    return props.isText ? markup.textContent : markup
  })
  return <span class="description">{shown()}</span>
}
