import type { JSX } from 'solid-js'
import { ListEditor } from './list-editor.js'
import type { Listed } from './listed.js'

/** A list as a part of a section. */
export function listOf<Item>(list: Listed<Item>): () => JSX.Element {
  return () => <ListEditor list={list} />
}
