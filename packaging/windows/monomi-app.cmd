@echo off
rem Opens the board in the browser. Close this window to end it.
"%~dp0monomi.exe" app
if errorlevel 1 pause
