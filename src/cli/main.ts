#!/usr/bin/env node
import { runProcess } from './process.ts';

void runProcess();
