/** How the documentation page looks: light or dark as the reader's system is, one column on a narrow screen. */
export const docsStyle = String.raw`
:root {
  color-scheme: light dark;
  --page: #f7f7f5; --card: #ffffff; --line: #dfdfda; --text: #1f2328; --faint: #62686f; --accent: #0b62c4;
  --code: #f1f1ee; --read: #0a6b3d; --write: #0b58b0; --change: #8a5300; --remove: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --card: #1c1f24; --line: #343942; --text: #e4e6ea; --faint: #9aa2ad; --accent: #7ab8ff;
    --code: #252930; --read: #6fd3a0; --write: #7ab8ff; --change: #f0b65c; --remove: #ff8d85;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 5rem; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
code, pre, .path, .method { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
code { font-size: .9em; background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center;
  padding: .75rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line);
}
h1 { margin: 0; font-size: 1.1rem; }
h1 small { color: var(--faint); font-weight: normal; margin-left: .4rem; }
header label { display: flex; flex: 1 1 16rem; max-width: 30rem; }
.hidden-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
input {
  flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line);
  border-radius: 6px; padding: .35rem .7rem;
}
#count { color: var(--faint); font-size: .9rem; }
.columns { display: grid; grid-template-columns: 15rem minmax(0, 56rem); gap: 2rem; padding: 1rem 1.5rem 4rem; }
nav { position: sticky; top: 4.5rem; align-self: start; max-height: calc(100vh - 5.5rem); overflow: auto; font-size: .9rem; }
nav h2 { font-size: .75rem; text-transform: uppercase; letter-spacing: .05em; color: var(--faint); margin: 1rem 0 .25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .15rem .4rem; border-radius: 4px; text-decoration: none; color: inherit; overflow-wrap: anywhere; }
nav li a:hover { background: var(--code); }
main > section > h2 { font-size: 1.15rem; margin: 1.5rem 0 .6rem; }
details.operation { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-bottom: .5rem; }
details.operation > summary {
  display: grid; grid-template-columns: 4.2rem auto; gap: 0 .6rem; padding: .55rem .9rem; cursor: pointer; list-style: none;
  border-radius: 8px;
}
details.operation > summary::-webkit-details-marker { display: none; }
details[open].operation > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.method { font-weight: 700; font-size: .85rem; padding-top: .1rem; }
.get { color: var(--read); } .post { color: var(--write); } .put, .patch { color: var(--change); } .delete { color: var(--remove); }
.path { font-size: .92rem; overflow-wrap: anywhere; }
.operation > summary .title { grid-column: 2; color: var(--faint); font-size: .9rem; }
.deprecated { text-decoration: line-through; }
.inside { padding: .25rem .9rem 1rem; }
.inside h3 { font-size: .8rem; text-transform: uppercase; letter-spacing: .05em; color: var(--faint); margin: 1.1rem 0 .35rem; }
.inside p { margin: .5rem 0; white-space: pre-line; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; border-top: 0; }
.schema { list-style: none; margin: 0; padding: 0; font-size: .9rem; }
.schema .schema { margin-left: .35rem; padding-left: .9rem; border-left: 1px solid var(--line); }
.schema li { padding: .1rem 0; }
.type { color: var(--faint); }
.required { color: var(--remove); font-size: .8rem; }
.example { position: relative; margin: .4rem 0; }
pre {
  margin: 0; padding: .6rem 4.6rem .6rem .8rem; background: var(--code); border-radius: 6px; font-size: .85rem;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
button {
  font: inherit; font-size: .8rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 5px;
  padding: .15rem .55rem; cursor: pointer;
}
.example button { position: absolute; top: .35rem; right: .4rem; }
.assumption { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; margin-bottom: .5rem; }
.assumption:target { border-color: var(--accent); }
.assumption h3 { margin: 0; font-size: .95rem; }
.assumption p, .assumption ul { margin: .3rem 0 0; font-size: .9rem; }
.failed { color: var(--remove); }
[hidden] { display: none !important; }
@media (max-width: 55rem) {
  .columns { grid-template-columns: minmax(0, 1fr); padding: .5rem 1rem 3rem; }
  nav { display: none; }
  header { position: static; }
  html { scroll-padding-top: 1rem; }
}
`;
