/** A value that nothing changes, with all that it contains. */
export type DeepReadonly<Data> = Data extends object ? { readonly [Key in keyof Data]: DeepReadonly<Data[Key]> } : Data
