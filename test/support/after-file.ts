/** Removes what a test file has left of its folders, so that none depends on another file to do it. */
import { afterAll } from 'vitest';
import { tidyFolders } from './folders.ts';

afterAll(tidyFolders);
