@echo off
rem Drop the folder of the results on this file, or put this file there. It takes the
rem answers from the morning workbook, lists what is open, and names the new workbook.
setlocal DisableDelayedExpansion
chcp 65001 >nul
title tripimport: morning
set "folder=%~f1"
if "%~1"=="" set "folder=%CD%"
"%~dp0tripimport.exe" morning --workbook "%folder%"
echo.
if not defined TRIPIMPORT_NO_PAUSE pause
